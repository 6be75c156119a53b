// The calls about a deal, the newest ten.

import { Text } from '@mantine/core'
import { useQuery } from 'urql'
import { CallState, calledName } from '../calls/call-status.tsx'
import { DealCallsDocument } from '../generated/documents/deal-record.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { Time } from '../pieces/time.tsx'
import classes from '../record/related.module.css'
import { Related } from '../record/related.tsx'

const words = dealWords.calls

export function CallsOfDeal({ dealId }: { dealId: string }) {
  const [{ data }] = useQuery({ query: DealCallsDocument, variables: { id: dealId }, requestPolicy: 'cache-and-network' })
  const calls = data?.deal?.calls
  if (!calls) return null
  return (
    <Related id="calls-of-deal" title={words.title} count={calls.totalCount} none={words.none}>
      {calls.nodes.map(call => (
        <div key={call.id} className={classes.row}>
          <AnchorLink to="/calls/$callId" params={{ callId: call.id }} size="sm" truncate>
            {calledName(call)}
          </AnchorLink>
          <Text size="sm" component="span">
            <CallState call={call} />
          </Text>
          <Text size="sm" c="dimmed" component="span" className={classes.amount}>
            <Time at={call.createdAt} />
          </Text>
        </div>
      ))}
    </Related>
  )
}
