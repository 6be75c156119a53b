// Counts what a person does: each click, each key, and each text that is typed in one go.

import type { Locator, Page } from 'playwright-core'

export class Steps {
  count = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    this.count++
    await target.click(options)
  }

  /** A key, also one that is held with another, such as `Control+a`. */
  async press(key: string): Promise<void> {
    this.count++
    await this.#page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    this.count++
    await this.#page.keyboard.type(text)
  }
}
