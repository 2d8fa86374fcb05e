/** The pages of staff, in one piece that a browser fetches when staff first open one. */
import "../style/dealer.css";
import "../style/pit.css";
import "../style/desk.css";

export { Cage } from "./cage";
export { Dealer } from "./dealer";
export { House } from "./house";
export { People } from "./people";
export { Pit } from "./pit";
export { Records } from "./records";
