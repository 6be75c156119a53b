// Makes examples repeatable: email addresses in example bodies get a random part, which changes after each successful create.

const shown = 'ada@example.com'
const fresh = () => `ada+${Math.random().toString(36).slice(2, 8)}@example.com`
const made = /ada\+\w+@example\.com/g

/** Replaces the email addresses in the examples of a document. */
export function withFreshExamples(openapi) {
  const first = fresh()
  for (const { post } of Object.values(openapi.paths)) {
    const media = post?.requestBody?.content['application/json']
    if (media?.example) media.example = JSON.parse(JSON.stringify(media.example).replaceAll(shown, first))
  }
  return openapi
}

/** Replaces the addresses in the editors after a create succeeded. After an error they stay, so that the user can correct the body. */
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
