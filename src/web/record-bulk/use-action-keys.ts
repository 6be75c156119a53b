// The actions on the selected records in the palette, and the key of the most frequent one: tagging.

import { useShortcut, useVerbs } from '../keyboard/shortcuts.ts'
import type { Action, Opening } from './bar-action.tsx'

export function useActionKeys(actions: readonly Action[], onOpen: Opening['onOpen']): void {
  const possible = actions.filter(({ isDisabled }) => !isDisabled)
  const runOf = ({ name, run }: Action) => run ?? (() => onOpen(name))
  const tag = possible.find(({ name }) => name === 'tag')
  useShortcut('T', tag?.verb ?? '', tag ? runOf(tag) : null, { isOn: tag !== undefined })
  useVerbs(possible.filter(action => action !== tag).map(action => ({ label: action.verb, run: runOf(action) })))
}
