// Downloads a file that a mutation makes the link of.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { announce } from '../keyboard/announce.tsx'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { useMutationWithProblems } from './use-write.ts'

interface Words {
  /** Said when the file is on its way. */
  downloaded(file: string): string
  failed: string
}

export interface Downloading<Variables> {
  download(variables: Variables): Promise<void>
  isRunning: boolean
}

export function useDownload<Data, Variables extends object>(
  document: TypedDocumentNode<Data, Variables>,
  linkOf: (data: Data) => { url: string; fileName: string },
  words: Words,
): Downloading<Variables> {
  const making = useMutationWithProblems(document)
  const download = async (variables: Variables) => {
    const { data, failure } = await making.run(variables)
    if (failure) return tellRefusal(words.failed, failure)
    const { url, fileName } = linkOf(data)
    announce(words.downloaded(fileName))
    // The link works once, and its answer is a file: the browser stays on the page.
    window.location.assign(url)
  }
  return { download, isRunning: making.isRunning }
}
