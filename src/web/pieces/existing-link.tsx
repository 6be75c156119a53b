// A link to the contact or the company that has the wanted address, domain or external id.

import type { AnchorProps } from '@mantine/core'
import { errorWords } from '../language/en/errors.ts'
import { AnchorLink } from './links.tsx'

export interface ExistingLinkProps extends AnchorProps {
  record: { noun: 'contact' | 'company'; id: string }
  /** Its name, where the page knows it. */
  name?: string | undefined
  onClick?: () => void
}

export function ExistingLink({ record: { noun, id }, name, ...others }: ExistingLinkProps) {
  const text = name === undefined ? errorWords.openExisting : errorWords.open(name)
  return noun === 'contact' ? (
    <AnchorLink to="/contacts/$contactId" params={{ contactId: id }} {...others}>
      {text}
    </AnchorLink>
  ) : (
    <AnchorLink to="/companies/$companyId" params={{ companyId: id }} {...others}>
      {text}
    </AnchorLink>
  )
}
