/** What is used of Swagger UI, whose package has no types of its own. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export default function SwaggerUI(options: Readonly<Record<string, unknown>>): void;
}
