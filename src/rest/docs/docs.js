// Starts the API reference. A file of its own, because the page's policy allows no inline script.
import { browserDocument } from './browser-document.js'
import { freshExamples } from './fresh-examples.js'
import { reference } from './reference.js'

const response = await fetch('/openapi.json')
const examples = freshExamples()

window.SwaggerUIBundle({
  spec: examples.applied(browserDocument(await response.json())),
  domNode: document.getElementById('reference'),
  plugins: [reference, examples.plugin],
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
