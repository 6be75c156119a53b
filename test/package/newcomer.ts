// What a newcomer asks a server after its first start: every kind of file that it reads at run time is in one of the answers.

const pages = ['/', '/docs', '/docs/docs.js', '/docs/swagger/swagger-ui.css', '/docs/swagger/swagger-ui-bundle.js', '/docs/errors']
const guides = ['/docs/guides', '/docs/guides/server', '/docs/guides/database', '/docs/guides/architecture', '/docs/guides/contributing']
const files = ['/openapi.json', '/base.css', '/icon.svg', '/claim/page.css', '/graphql', '/idp/ok', '/healthz', '/readyz']
const installed = ['/app.webmanifest', '/service-worker.js', '/icon-512.png']

/** Throws an error with all answers that are not 200. `secrets`: the text of the first start. */
export async function ask(url: string, secrets: string): Promise<void> {
  const problems: string[] = []
  for (const path of [...pages, ...guides, ...files, ...installed]) {
    const { status } = await answered(`${url}${path}`, { headers: { accept: 'text/html' } })
    if (status !== 200) problems.push(`${path}: ${status}`)
  }
  const { text: page } = await answered(url)
  const [, script] = /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
  if (!script) problems.push(`no script in ${page}`)
  else if ((await answered(`${url}${script}`)).status !== 200) problems.push(script)

  const [key = ''] = /rcm_\S+/.exec(secrets) ?? []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const expected: [path: string, status: number, body: object][] = [
    ['/api/crm/v1/contacts', 201, { email: 'alan@example.com', first_name: 'Alan' }],
    ['/idp/sign-up/email', 200, { email: 'ada@example.com', password: 'long enough for this', name: 'Ada' }],
    ['/graphql', 200, { query: '{ contacts(first: 1) { edges { node { email } } } }' }],
  ]
  for (const [path, status, body] of expected) {
    const { text, ...answer } = await answered(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== status || text.includes('"errors"')) problems.push(`${path}: ${answer.status} ${text.slice(0, 300)}`)
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

async function answered(url: string, init?: RequestInit): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, init)
  return { status: answer.status, text: await answer.text() }
}
