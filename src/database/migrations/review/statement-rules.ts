// The effects of each kind of SQL statement on tables that processes of the previous release use. A kind without a rule counts as breaking.

import type {
  AlterTableStmt,
  CreateStmt,
  CreateTrigStmt,
  DeleteStmt,
  DropStmt,
  IndexStmt,
  InsertStmt,
  Node,
  RangeVar,
  ReindexStmt,
  RenameStmt,
  UpdateStmt,
} from 'libpg-query'
import { alterTable, rememberConstraint } from './alter-table.ts'
import { nameOf, type Scope } from './scope.ts'

type Rule = (node: never, scope: Scope) => void

const harmless: Rule = () => {}
const unlimited = 'would wait for its lock without a limit, and others behind it: send it in a transaction'

/** By the parser's name of the statement. */
export const statementRules: Readonly<Record<string, Rule | undefined>> = {
  AlterTableStmt: (statement: AlterTableStmt, scope) => {
    const isValidation = statement.cmds?.every(cmd => subtypeOf(cmd) === 'AT_ValidateConstraint')
    if (scope.isOutside && !isValidation) scope.blocks(`alters ${nameOf(statement.relation)}, which ${unlimited}`)
    alterTable(statement, scope)
  },
  CreateStmt: ({ relation, tableElts = [] }: CreateStmt, { created, known }) => {
    const table = nameOf(relation)
    created.add(table)
    for (const element of tableElts) if ('Constraint' in element) rememberConstraint(element.Constraint, table, known)
  },
  IndexStmt: ({ idxname = '', relation, concurrent, unique, indexParams = [] }: IndexStmt, { created, isOutside, breaks, blocks }) => {
    const table = nameOf(relation)
    if (created.has(table)) return void created.add(idxname)
    if (!concurrent) blocks(`builds index ${idxname} on ${table} without CONCURRENTLY, so writers wait`)
    else if (!isOutside) blocks(`builds index ${idxname} with CONCURRENTLY: the file must begin with "-- outside a transaction"`)
    const isNew = indexParams.every(part => 'IndexElem' in part && created.has(`${table}.${part.IndexElem.name}`))
    if (unique && !isNew) breaks(`makes rows of ${table} unique that the previous release may write twice`)
    created.add(idxname)
  },
  DropStmt: ({ objects = [], removeType, concurrent }: DropStmt, { created, isOutside, breaks, blocks }) => {
    const kind = kindOf(removeType)
    if (isOutside && !concurrent) blocks(`drops a ${kind}, which ${unlimited}`)
    for (const object of objects) if (!created.has(lastNameOf(object))) breaks(`drops ${kind} ${lastNameOf(object)}`)
  },
  RenameStmt: ({ renameType, relation, subname, newname }: RenameStmt, { created, breaks }) => {
    const table = nameOf(relation)
    if (!created.has(table)) breaks(`renames ${kindOf(renameType)} ${subname ?? table} to ${newname}`)
  },
  UpdateStmt: ({ relation }: UpdateStmt, scope) => changeRows('updates', relation, scope),
  DeleteStmt: ({ relation }: DeleteStmt, scope) => changeRows('deletes from', relation, scope),
  InsertStmt: ({ relation, selectStmt }: InsertStmt, scope) => {
    const isValues = selectStmt && 'SelectStmt' in selectStmt && selectStmt.SelectStmt.valuesLists !== undefined
    if (!isValues && !(scope.isOutside && scope.isRepeated)) scope.blocks(`copies rows into ${nameOf(relation)} at once: ${inBatches}`)
  },
  CreateTrigStmt: ({ relation }: CreateTrigStmt, { created, isOutside, blocks }) => {
    const table = nameOf(relation)
    if (isOutside && !created.has(table)) blocks(`creates a trigger on ${table}, which ${unlimited}`)
  },
  ReindexStmt: ({ params = [] }: ReindexStmt, { blocks }) => {
    if (!params.some(param => 'DefElem' in param && param.DefElem.defname === 'concurrently')) blocks('reindexes without CONCURRENTLY')
  },
  TruncateStmt: (_statement, { breaks }) => breaks('empties tables'),
  SelectStmt: (_statement, { blocks }) => blocks('queries, which may take long while locks are held'),
  ...Object.fromEntries(
    [
      ...['CreateFunctionStmt', 'CreateExtensionStmt', 'CreateSeqStmt', 'AlterSeqStmt', 'CreateEnumStmt', 'CreateSchemaStmt'],
      ...['CreateStatsStmt', 'CommentStmt', 'ViewStmt', 'VacuumStmt', 'VariableSetStmt'],
    ].map(name => [name, harmless]),
  ),
}

const inBatches = 'do it outside a transaction, in batches with "-- repeat until no row changes"'

function changeRows(verb: string, relation: RangeVar | undefined, { created, isOutside, isRepeated, blocks }: Scope): void {
  const table = nameOf(relation)
  if (!created.has(table) && !(isOutside && isRepeated)) blocks(`${verb} ${table} at once: ${inBatches}`)
}

const kindOf = (type = '') => type.replace('OBJECT_', '').toLowerCase()

const subtypeOf = (command: Node) => ('AlterTableCmd' in command ? command.AlterTableCmd.subtype : undefined)

// The last part of `schema.table`, `table trigger` or `function(arguments)`.
function lastNameOf(object: Node): string {
  if ('String' in object) return object.String.sval ?? ''
  if ('TypeName' in object) return lastNameOf(object.TypeName.names?.at(-1) ?? object)
  if ('ObjectWithArgs' in object) return lastNameOf(object.ObjectWithArgs.objname?.at(-1) ?? object)
  const last = 'List' in object ? object.List.items?.at(-1) : undefined
  return last ? lastNameOf(last) : 'something'
}
