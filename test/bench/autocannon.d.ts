// As much of autocannon as the benches use; the package brings no types.

declare module 'autocannon' {
  interface Request {
    body?: string
  }
  interface Options {
    url: string
    connections: number
    method: 'POST'
    headers: Record<string, string>
    duration?: number
    amount?: number
    requests: { setupRequest(request: Request): Request }[]
  }
  interface Result {
    requests: { average: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
