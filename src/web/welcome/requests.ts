// The first request, sent as a guest, for several tools.

export const query = '{ contacts(first: 2) { nodes { fullName companyName lifecycleStage } } }'

const { origin } = window.location

export const requests = [
  {
    name: 'curl',
    label: 'curl',
    text: `curl -s ${origin}/graphql \\
  -H 'X-Guest-ID: visitor' \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"${query}"}'`,
  },
  {
    name: 'javascript',
    label: 'JavaScript',
    text: `const response = await fetch('${origin}/graphql', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-guest-id': 'visitor' },
  body: JSON.stringify({
    query: '${query}',
  }),
})
console.log(await response.json())`,
  },
  {
    name: 'graphql',
    label: 'GraphQL',
    text: `{
  contacts(first: 2) {
    nodes {
      fullName
      companyName
      lifecycleStage
    }
  }
}`,
  },
] as const
