// Imports that the crash script kills midway: each row is a contact once or is in the report of the refused ones, whatever dies.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from './credits.ts'
import { ask, type Person, signUp, untilAnswered } from './person.ts'

const path = '/api/crm/v1/imports'
const rows = 1_500
// Every hundredth row has a cell too many: a comma that is not quoted has moved its values.
const isRefused = (row: number) => row % 100 === 99
const refused = Array.from({ length: rows }, (_, row) => row).filter(isRefused)
// A task of a killed worker runs again within a minute.
const withinMs = 180_000

/** Imports into an organization of its own. */
export function crashImports(found: (kind: Finding['kind'], text: string) => void) {
  /** Started imports, by id: what the addresses of its file begin with. */
  const started = new Map<string, string>()
  const unknown: string[] = []
  let person: Person | undefined

  const start = async (url: string, id: string): Promise<boolean> => {
    const { status, body } = await ask(url, `${path}/${id}/start`, { body: {}, token: person?.session })
    // 409: it was started, and the answer was lost.
    if (status === 202 || status === 409) return true
    if (status < 500) found('lost', `the import ${id} is answered ${status}: ${JSON.stringify(body)}`)
    return false
  }

  return {
    get acknowledged() {
      return started.size
    },
    /** Begins an import, which goes on until the server is gone. */
    async open(url: string): Promise<void> {
      person ??= await signUp(url)
      const mark = randomUUID()
      const lines = Array.from({ length: rows }, (_, row) => `${mark}-${row}@crash.example,Row ${row}${isRefused(row) ? ',Inc' : ''}`)
      const { status, body } = await ask(url, path, { body: `email,last_name\n${lines.join('\n')}\n`, token: person.session })
      if (status !== 201) throw new Error(`an upload is answered ${status}: ${JSON.stringify(body)}`)
      const id = String(body.id)
      started.set(id, mark)
      if (!(await start(url, id))) unknown.push(id)
    },
    /** Starts what was uploaded, and whose start was not answered. */
    async replay(url: string): Promise<void> {
      for (const id of unknown.splice(0)) await untilAnswered(`the start of the import ${id}`, () => start(url, id))
    },
    /** Waits until all have ended, and compares their counts, their reports and the contacts with the files. */
    async verify(url: string): Promise<string> {
      const token = person?.session
      for (const id of started.keys()) {
        let { body } = await ask(url, `${path}/${id}`, { token })
        for (const until = Date.now() + withinMs; body.status !== 'completed' && Date.now() < until; await sleep(500))
          body = (await ask(url, `${path}/${id}`, { token })).body
        const counted = [body.status, body.row_count, body.created_count, body.updated_count, body.refused_count].join()
        const expected = ['completed', rows, rows - refused.length, 0, refused.length].join()
        if (counted !== expected) found('torn', `the import ${id} is ${counted}, and should be ${expected}`)
        const { body: report } = await ask(url, `${path}/${id}/report`, { body: {}, token })
        const { body: file } = await ask(url, new URL(String(report.url), url).pathname + new URL(String(report.url), url).search)
        const told = String(file.text).trim().split('\n').slice(1)
        // The header is row 1 of the file.
        if (told.map(line => Number(line.split(',')[0]) - 2).join() !== refused.join())
          found('torn', `the report of the import ${id} has ${told.length} rows, and should have ${refused.length}`)
      }
      const counts = new Map<string, number>()
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await ask(url, `/api/crm/v1/contacts?limit=200${cursor && `&cursor=${cursor}`}`, { token })
        for (const { email } of body.data as { email: string }[]) counts.set(email, (counts.get(email) ?? 0) + 1)
        cursor = body.next_cursor as string | null
      }
      for (const mark of started.values())
        for (let row = 0; row < rows; row++) {
          const count = counts.get(`${mark}-${row}@crash.example`) ?? 0
          if (count !== (isRefused(row) ? 0 : 1)) found(count > 1 ? 'doubled' : 'lost', `row ${row} of ${mark} is ${count} contacts`)
        }
      return `imported rows ${started.size * rows}`
    },
  }
}
