// A link to another site. Only http and https addresses become links; everything else stays text.

import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { pieceWords } from '../../language/en/shared/pieces.ts'

export function WebLink({ address, label }: { address: string; label?: string }) {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return label ?? address
  return (
    <Anchor href={url.href} target="_blank" rel="noreferrer" inherit onClick={event => event.stopPropagation()}>
      {label ?? `${url.host}${url.pathname === '/' ? '' : url.pathname}`} <IconExternalLink size={12} aria-label={pieceWords.newTab} />
    </Anchor>
  )
}
