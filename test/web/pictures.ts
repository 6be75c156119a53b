// Draws the pictures of the README and of the front page again, from the demo organization: npm run pictures

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from './support/browser.ts'
import { type Fixture, type Person, startFixture } from './support/fixture.ts'

interface Picture {
  file: string
  /** The address. */
  at: string
  /** What stands there when it is loaded. */
  ready: string
  colorScheme?: 'light' | 'dark'
}

const viewport = { width: 1280, height: 800 }

/** A contact of the demo with suggestions to decide, and the longest conversation. */
async function shown({ ask }: Fixture, person: Person): Promise<{ contactId: string; callId: string }> {
  const { suggestions, calls } = await ask<{
    suggestions: Nodes<{ contact: { id: string } }>
    calls: Nodes<{ id: string; durationSeconds: number }>
  }>(
    person,
    '{ suggestions(first: 1, filter: { status: PENDING }) { nodes { contact { id } } } calls(first: 50) { nodes { id durationSeconds } } }',
  )
  const [longest] = calls.nodes.toSorted((a, b) => b.durationSeconds - a.durationSeconds)
  return { contactId: suggestions.nodes[0]?.contact.id ?? '', callId: longest?.id ?? '' }
}

interface Nodes<Of> {
  nodes: Of[]
}

const picturesOf = ({ contactId, callId }: { contactId: string; callId: string }): Picture[] => [
  { file: 'src/web/welcome/pictures/home.webp', at: '/home', ready: 'text=Goal met' },
  { file: 'src/web/welcome/pictures/home-dark.webp', at: '/home', ready: 'text=Goal met', colorScheme: 'dark' },
  { file: '.github/pictures/contacts.webp', at: '/contacts?sort=LAST_NAME', ready: 'td' },
  { file: '.github/pictures/contact.webp', at: `/contacts/${contactId}`, ready: 'text=Timeline' },
  { file: '.github/pictures/call.webp', at: `/calls/${callId}`, ready: 'main h1', colorScheme: 'dark' },
  { file: '.github/pictures/suggestions.webp', at: '/suggestions', ready: 'text=Accept' },
  { file: '.github/pictures/agents.webp', at: '/agents?new=choose', ready: 'text=Appointment reminder' },
]

// The browser is the encoder of WebP: pictures of one byte in four.
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const address = await page.evaluate(
    async source => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob())
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 })
      return new Promise<string>(resolve => {
        const reader = new FileReader()
        reader.onload = () => resolve(String(reader.result))
        reader.readAsDataURL(blob)
      })
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

const browser = await launchBrowser()
const { fixture, stop } = await startFixture(browser)
try {
  const person = await fixture.person({ demo: true })
  const encoder = await browser.newPage()
  const root = join(import.meta.dirname, '../..')
  for (const { file, at, ready, colorScheme = 'light' } of picturesOf(await shown(fixture, person))) {
    const page = await fixture.open(at, { as: person, colorScheme, viewport, reducedMotion: 'reduce' })
    await page.locator(ready).first().waitFor()
    // What is drawn after the text: charts, and parts that are loaded late.
    await page.waitForTimeout(3000)
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), await asWebp(encoder, await page.screenshot()))
    await page.context().close()
    console.log(file)
  }
} finally {
  await browser.close()
  await stop()
}
