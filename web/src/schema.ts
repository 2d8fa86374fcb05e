/** The reference of the API: Swagger UI from its package, over the document that the server writes. */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";

SwaggerUI({
  dom_id: "#reference",
  // From this script on: the page may be served under a prefix.
  url: new URL("../schema/openapi.json", import.meta.url).href,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  validatorUrl: null, // else it sends the document's address to a public service
});
