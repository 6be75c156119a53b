// One import: mapped and previewed before it is started, followed while it runs, and what became of its rows.

import { useQuery } from 'urql'
import { failureOf } from '../data/failure.ts'
import { Header } from '../frame/header.tsx'
import { ImportToMapDocument } from '../generated/documents/imports.ts'
import { useIsAway } from '../live/connectivity.ts'
import { Empty } from '../pieces/empty.tsx'
import { ErrorNotice } from '../pieces/error-notice.tsx'
import { LateSkeleton } from '../pieces/late-skeleton.tsx'
import { ButtonLink } from '../pieces/links.tsx'
import { useMe } from '../session/use-me.ts'
import { nameOf } from './columns.tsx'
import classes from './imports.module.css'
import { ImportProgress } from './progress.tsx'
import { importRoute } from './route.tsx'
import { ImportSetup } from './setup.tsx'

export function ImportScreen() {
  const { importId } = importRoute.useParams()
  const { mayWrite, isGuest } = useMe()
  const isAway = useIsAway()
  const [{ data, error, fetching }, again] = useQuery({ query: ImportToMapDocument, variables: { id: importId } })
  const found = data?.contactImport
  const all = (
    <ButtonLink to="/imports" variant="default">
      All imports
    </ButtonLink>
  )
  if (!found) {
    const failure = error ? failureOf(error) : null
    const isMissing = !fetching && (failure === null || failure.code === 'NOT_FOUND' || failure.code === 'INVALID')
    return (
      <>
        <Header title="Import" actions={all} />
        <div className={classes.page}>
          {isMissing && <Empty sentence="This import was not found. It may belong to another organization." action={all} />}
          {failure && !isMissing && <ErrorNotice failure={failure} onRetry={() => again({ requestPolicy: 'network-only' })} />}
          {fetching && <LateSkeleton height={36} count={6} />}
        </div>
      </>
    )
  }
  const mayChange = mayWrite && !isAway
  return (
    <>
      <Header title={nameOf(found)} actions={all} />
      <div className={classes.page}>
        {found.importStatus === 'WAITING' ? (
          <ImportSetup key={found.id} found={found} mayWrite={mayChange} isGuest={isGuest} />
        ) : (
          <ImportProgress found={found} mayWrite={mayChange} />
        )}
      </div>
    </>
  )
}
