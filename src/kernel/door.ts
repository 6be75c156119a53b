// The doors through which operations arrive.

/** The doors, as events and the ledger store them. */
export const doors = {
  graphql: 'A GraphQL document of a caller.',
  rest: 'A REST endpoint.',
  hooks: 'A hook.',
  tools: 'A tool of an agent.',
  mcp: 'A tool that a client called over MCP.',
  tasks: 'A task of the server.',
  system: 'The server itself, and its command line.',
} as const
export type Door = keyof typeof doors
