// Removes the credentials of backends from the OpenAPI document that the page shows: they must not be entered in a browser.

// In the order in which the dialog shows them.
const credentials = ['api_key', 'session', 'guest', 'provider_session', 'identity']

/** A copy of the document. Operations that only backends may use are kept, with a note in the description. */
export function browserDocument(openapi) {
  const { securitySchemes } = openapi.components
  const shown = Object.fromEntries(credentials.map(name => [name, securitySchemes[name]]))
  const paths = mapValues(openapi.paths, item => mapValues(item, operation => withoutBackends(operation, securitySchemes)))
  return { ...openapi, paths, components: { ...openapi.components, securitySchemes: shown } }
}

function withoutBackends(operation, schemes) {
  const { security = [], description = '' } = operation
  const kept = security.filter(one => Object.keys(one).every(name => credentials.includes(name)))
  if (kept.length > 0 || security.length === 0) return { ...operation, security: kept }
  const [name] = Object.keys(security[0])
  const header = schemes[name].name ?? 'Authorization: Bearer'
  const note = `Between backends: \`${header}\` carries their secret, from a command line rather than from here.`
  return { ...operation, security: [], description: `${description}\n\n${note}` }
}

const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
