// Starts the API reference. A file of its own, because the page's policy allows no inline script.
window.SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
})
