/** The pages of staff, in one piece that a browser fetches when staff first open one. */
import "../style/dealer.css";
import "../style/pit.css";

export { Dealer } from "./dealer";
export { Pit } from "./pit";
