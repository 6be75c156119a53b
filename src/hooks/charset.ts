// Text of senders that do not write UTF-8: UTF-16 with its mark, and what the Content-Type names. Bytes that are UTF-8 are taken as such,
// because some senders name a charset that they do not use.

import { isUtf8 } from 'node:buffer'

/** The text as UTF-8. Bytes in a charset that is not known stay as they are. */
export function inUtf8(bytes: Buffer, charset: string | null): Buffer {
  // .NET and PowerShell write UTF-16 with its byte order mark, which no text in UTF-8 begins with.
  const mark = bytes.subarray(0, 2).toString('hex')
  const named = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : charset
  if (named === null || (isUtf8(bytes) && !named.startsWith('utf-16'))) return bytes
  const decoder = decoderOf(named)
  return decoder ? Buffer.from(decoder.decode(bytes)) : bytes
}

/** The text of a form, percent-encoded as UTF-8. */
export function formInUtf8(text: string, charset: string | null): string {
  const decoder = charset === null ? null : decoderOf(charset)
  if (!decoder) return text
  return text.replace(/(?:%[0-9a-f]{2})+/gi, encoded => {
    const bytes = Buffer.from(encoded.replaceAll('%', ''), 'hex')
    return isUtf8(bytes) ? encoded : Buffer.from(decoder.decode(bytes)).toString('hex').replace(/../g, '%$&')
  })
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    const decoder = new TextDecoder(charset)
    return decoder.encoding === 'utf-8' ? null : decoder
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
