// The page of one import: mapping and preview before the start, then progress and result.

import { useRead } from '../data/use-read.ts'
import { Header } from '../frame/header.tsx'
import { ImportToMapDocument } from '../generated/documents/imports.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { UnreadPage } from '../pieces/states/unread.tsx'
import { useMe } from '../session/use-me.ts'
import { nameOf } from './columns.tsx'
import classes from './imports.module.css'
import { ImportProgress } from './progress.tsx'
import { importRoute } from './route.tsx'
import { ImportSetup } from './setup.tsx'

export function ImportScreen() {
  const { importId } = importRoute.useParams()
  const { isGuest, isOff } = useMe()
  const read = useRead(ImportToMapDocument, { id: importId })
  const found = read.data?.contactImport
  const all = (
    <ButtonLink to="/imports" variant="default">
      {importWords.all}
    </ButtonLink>
  )
  if (!found) return <UnreadPage read={read} noun="import" title={importWords.one} />
  const mayChange = !isOff
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
