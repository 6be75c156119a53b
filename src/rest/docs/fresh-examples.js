// Examples that can be sent more than once: addresses in bodies that create get a part of their own, a new one after each execution.

const shown = 'ada@example.com'
const part = () => Math.random().toString(36).slice(2, 8)

/** `applied` puts fresh addresses into the examples of a document; `plugin` renews them in the editors. */
export function freshExamples() {
  let current = shown
  const renewed = text => {
    const before = current
    current = `ada+${part()}@example.com`
    return text.replaceAll(before, current)
  }
  const applied = openapi => {
    const first = renewed(shown)
    for (const item of Object.values(openapi.paths)) {
      const media = item.post?.requestBody?.content['application/json']
      if (media?.example) media.example = JSON.parse(JSON.stringify(media.example).replaceAll(shown, first))
    }
    return openapi
  }
  const plugin = system => ({
    statePlugins: {
      spec: {
        wrapActions: {
          setResponse: original => (path, method, response) => {
            const body = system.oas3Selectors.requestBodyValue(path, method)
            const result = original(path, method, response)
            // What succeeded cannot be created again; what was refused may be corrected first.
            if (response.ok && typeof body === 'string' && body.includes(current))
              system.oas3Actions.setRequestBodyValue({ value: renewed(body), pathMethod: [path, method] })
            return result
          },
        },
      },
    },
  })
  return { applied, plugin }
}
