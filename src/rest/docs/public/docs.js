// Starts the API reference. A separate file, because the page's Content-Security-Policy forbids inline scripts.
import { browserDocument } from './browser-document.js'
import { renewed, withFreshExamples } from './fresh-examples.js'
import { nameFields } from './names.js'
import { reference } from './reference.js'

const response = await fetch('/openapi.json')

const root = document.getElementById('reference')
nameFields(root)

window.SwaggerUIBundle({
  spec: withFreshExamples(browserDocument(await response.json())),
  domNode: root,
  plugins: [reference, renewed],
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
