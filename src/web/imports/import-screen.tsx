// The page of one import: mapping and preview before the start, then progress and result.

import { useRead } from '../data/use-read.ts'
import { Header } from '../frame/header.tsx'
import { ImportToMapDocument } from '../generated/documents/imports.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { UnreadPage } from '../pieces/states/unread.tsx'
import { useMe } from '../session/use-me.ts'
import { nameOf } from './columns.tsx'
import { ImportFiles } from './files.tsx'
import { FilesProgress } from './files-progress.tsx'
import classes from './imports.module.css'
import { ImportProgress } from './progress.tsx'
import { importRoute } from './route.tsx'
import { ImportSetup } from './setup.tsx'

export function ImportScreen() {
  const { importId } = importRoute.useParams()
  const { isGuest, isOff } = useMe()
  const asked = useRead(ImportToMapDocument, { id: importId })
  const firstId = asked.data?.contactImport?.partOf ?? null
  const first = useRead(ImportToMapDocument, { id: firstId ?? importId }, { isOn: firstId !== null })
  // The page of a further file is the page of its import.
  const read = firstId === null ? asked : first
  const found = read.data?.contactImport
  const all = (
    <ButtonLink to="/imports" variant="default">
      {importWords.all}
    </ButtonLink>
  )
  if (!found) return <UnreadPage read={read} noun="import" title={importWords.one} />
  const mayChange = !isOff
  // One that was taken out is not a part any more.
  const files = found.files.filter(({ importStatus, startedAt }) => importStatus !== 'CANCELED' || startedAt !== null)
  return (
    <>
      <Header title={files.length > 1 ? importWords.andOthers(nameOf(found), files.length - 1) : nameOf(found)} actions={all} />
      <div className={classes.page}>
        {found.importStatus === 'WAITING' && files.length > 1 ? (
          <ImportFiles key={found.id} first={found} mayWrite={mayChange} isGuest={isGuest} />
        ) : found.importStatus === 'WAITING' ? (
          <ImportSetup key={found.id} found={found} mayWrite={mayChange} isGuest={isGuest} />
        ) : files.length > 1 ? (
          <FilesProgress files={files} mayWrite={mayChange} />
        ) : (
          <ImportProgress found={found} mayWrite={mayChange} />
        )}
      </div>
    </>
  )
}
