// Examples that can be sent more than once: addresses in bodies that create get a part of their own, a new one after each execution.

const shown = 'ada@example.com'
const fresh = () => `ada+${Math.random().toString(36).slice(2, 8)}@example.com`
const made = /ada\+\w+@example\.com/g

/** Puts fresh addresses into the examples of a document. */
export function withFreshExamples(openapi) {
  const first = fresh()
  for (const { post } of Object.values(openapi.paths)) {
    const media = post?.requestBody?.content['application/json']
    if (media?.example) media.example = JSON.parse(JSON.stringify(media.example).replaceAll(shown, first))
  }
  return openapi
}

/** Renews them in the editors: what succeeded cannot be created again; what was refused may be corrected first. */
export const renewed = system => ({
  statePlugins: {
    spec: {
      wrapActions: {
        setResponse: original => (path, method, response) => {
          const body = system.oas3Selectors.requestBodyValue(path, method)
          const result = original(path, method, response)
          const hasCreated = response.status === 201 || (response.ok && path === '/idp/sign-up/email')
          if (hasCreated && typeof body === 'string')
            system.oas3Actions.setRequestBodyValue({ value: body.replaceAll(made, fresh()), pathMethod: [path, method] })
          return result
        },
      },
    },
  },
})
