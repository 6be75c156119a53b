// Formats log lines for a terminal: requests as one short line, links and emails on lines of their own, errors with their stack.

type Line = Readonly<Record<string, unknown>>

const isText = (value: unknown): value is string => typeof value === 'string'

/** The text of a log line without the time and level, which pino-pretty adds. `messageKey` is the field of the message. */
export function terminalLine(line: Line, messageKey: string): string {
  if (line.method !== undefined && line.status !== undefined) return requestLine(line)
  const { [messageKey]: message, level: _level, time: _time, err, url, text, ...rest } = line
  const fields = Object.keys(rest).length > 0 ? `  ${JSON.stringify(rest)}` : ''
  return [`${message ?? ''}${fields}`, ...[url, text, stackOf(err)].filter(isText)].join('\n')
}

// A successful request is one short line; a refused or failed one also has its id, to find it in other logs.
function requestLine({ method, path, status, durationMs, operation, requestId, principal, aborted }: Line): string {
  const short = `${method} ${path} ${status} ${durationMs} ms`
  if (Number(status) < 400 && !aborted) return short
  const caller = (principal as { type?: string; name?: string | null } | undefined) ?? {}
  const who = [caller.type, caller.name && JSON.stringify(caller.name)].filter(Boolean).join(' ')
  return [short, aborted && 'aborted', operation, who, requestId && `request ${requestId}`].filter(Boolean).join('  ')
}

const stackOf = (error: unknown) => {
  const { stack, message } = (error ?? {}) as { stack?: string; message?: string }
  return stack ?? message
}
