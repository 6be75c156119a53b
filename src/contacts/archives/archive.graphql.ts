// GraphQL: archives of an organization.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { enumeration } from '../../kernel/fields/enumeration.ts'
import type { Actor } from '../../kernel/principal.ts'
import { DownloadType } from '../exports/export.graphql.ts'
import { type Archive, archiveDays, createArchive, createArchiveDownload, latestArchive, loadArchives } from './archive.ts'

const StatusEnum = enumOf(
  enumeration('ArchiveStatus', 'How far an archive has come.', {
    queued: 'It begins soon.',
    running: 'Its files are written.',
    ready: 'It can be downloaded.',
    failed: 'It could not be made. Ask for another.',
  }),
)

const ArchiveType = builder.objectRef<Archive>('Archive').implement({
  description: 'Everything of an organization as one file: a zip with a CSV file for each noun, with ids, and times in UTC.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    status: t.expose('status', { type: StatusEnum, description: 'How far it has come.' }),
    statusReason: t.exposeString('statusReason', { nullable: true, description: 'Why it failed.' }),
    rowCount: t.exposeInt('rowCount', { description: 'Rows written so far, of all files in it.' }),
    byteCount: t.float({
      nullable: true,
      description: 'Its size; null until it is ready.',
      resolve: ({ byteCount }) => (byteCount === null ? null : Number(byteCount)),
    }),
    createdBy: t.field({
      type: ActorType,
      description: 'The owner who asked for it.',
      // `as`: `createArchive` has stored an actor.
      resolve: row => ({ type: row.createdByType as Actor['type'], id: row.createdById, name: row.createdByName }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it was ready, or failed.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description: `When it is deleted: ${archiveDays} days after it was asked for.`,
      resolve: ({ createdAt }) => new Date(createdAt.getTime() + archiveDays * 86_400_000),
    }),
  }),
})

builder.queryField('archive', t =>
  t.field({
    type: ArchiveType,
    nullable: true,
    description: 'The latest archive of the organization; null without one. For owners.',
    authScopes: { role: 'owner' },
    resolve: (_parent, _args, context) => latestArchive(context),
  }),
)

builder.mutationFields(t => ({
  createArchive: t.field({
    type: ArchiveType,
    description:
      'Queues an archive of everything that the organization has. While one is being made it returns that one. ' +
      `For owners. The archive is kept for ${archiveDays} days.`,
    authScopes: { role: 'owner' },
    effect: {},
    resolve: (_parent, _args, context) => createArchive(context),
  }),
  createArchiveDownload: t.field({
    type: DownloadType,
    description: 'Makes a link to the latest archive, once it is ready. For owners.',
    authScopes: { role: 'owner' },
    effect: {},
    resolve: (_parent, _args, context) => createArchiveDownload(context),
  }),
}))

noun('archive', ArchiveType, {
  mayRead: ({ principal }) => principal.kind === 'session' && principal.role === 'owner',
  load: loadArchives,
})
