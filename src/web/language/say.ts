// Sentences with parts that are links or emphasized: say`${who} spoke with this contact for ${time}`.

import { createElement, Fragment, type ReactNode } from 'react'

export const say = (texts: TemplateStringsArray, ...parts: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...texts.flatMap((text, index) => [text, parts[index]]))
