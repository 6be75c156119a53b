// As much of autocannon as the benches use; the package brings no types.

declare module 'autocannon' {
  interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
  }
  interface Options {
    url: string
    connections: number
    method?: string
    headers?: Record<string, string>
    duration?: number
    amount?: number
    requests: (Request & { setupRequest?(request: Request): Request })[]
  }
  interface Result {
    requests: { average: number }
    latency: { p50: number; p99: number }
    '2xx': number
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
