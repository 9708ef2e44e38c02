"use strict";

const key = document.querySelector('meta[name="api-key"]').content;

const ui = SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  filter: true,
  tryItOutEnabled: true,
  // The default validator is an external host.
  validatorUrl: null,
  onComplete: () => {
    if (key) ui.preauthorizeApiKey("bearer", key);
  },
});
