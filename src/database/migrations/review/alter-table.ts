// The effects of the parts of ALTER TABLE on a table that processes of the previous release use.

import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, Node } from 'libpg-query'
import { type Known, nameOf, type Scope } from './scope.ts'

export function alterTable({ relation, cmds = [] }: AlterTableStmt, scope: Scope): void {
  const table = nameOf(relation)
  for (const command of cmds) if ('AlterTableCmd' in command) alter(table, command.AlterTableCmd, scope)
}

/** Remembers a constraint for the migrations after this one. */
export function rememberConstraint(constraint: Constraint, table: string, { constraints }: Known): void {
  const { conname, contype = '', raw_expr: condition } = constraint
  if (conname === undefined) return
  const column = condition && 'NullTest' in condition && condition.NullTest.nulltesttype === 'IS_NOT_NULL' && columnsOf(condition)[0]
  const isValidated = !constraint.skip_validation
  constraints.set(conname, { type: contype, isValidated, ...(column && { notNull: `${table}.${column}` }) })
}

function alter(table: string, { subtype, name = '', def }: AlterTableCmd, scope: Scope): void {
  const { created, known, breaks, blocks } = scope
  const column = `${table}.${name}`
  // Nothing uses them yet, and they are empty.
  const isNewTable = created.has(table)
  const isNewColumn = isNewTable || created.has(column)
  switch (subtype) {
    case 'AT_AddColumn':
      if (def && 'ColumnDef' in def) addColumn(table, def.ColumnDef, isNewTable, scope)
      return
    case 'AT_AddConstraint':
      if (def && 'Constraint' in def) addConstraint(table, def.Constraint, isNewTable, scope)
      return
    case 'AT_ValidateConstraint': {
      const constraint = known.constraints.get(name)
      if (constraint) constraint.isValidated = true
      if (!isNewTable && !scope.isOutside) blocks(`validates ${name} in a transaction: the file must begin with "-- outside a transaction"`)
      return
    }
    case 'AT_SetNotNull': {
      const isKnown = [...known.constraints.values()].some(({ notNull, isValidated }) => notNull === column && isValidated)
      if (isNewTable || isKnown) return
      blocks(`reads all of ${table} to set ${column} NOT NULL: validate a check of it before`)
      breaks(`requires a value in ${column}, which the previous release may not write`)
      return
    }
    case 'AT_AlterColumnType':
      if (isNewTable) return
      blocks(`rewrites ${table} to change the type of ${column}`)
      breaks(`changes the type of ${column}`)
      return
    case 'AT_DropColumn':
      if (!isNewColumn) breaks(`drops column ${column}`)
      return
    case 'AT_ColumnDefault':
      if (!def && !isNewColumn) breaks(`drops the default of ${column}`)
      return
    case 'AT_DropConstraint': {
      const type = known.constraints.get(name)?.type
      // `insert ... on conflict` fails without its constraint; a check or a foreign key is only missed.
      if (!isNewTable && type !== 'CONSTR_CHECK' && type !== 'CONSTR_FOREIGN') breaks(`drops constraint ${name} of ${table}`)
      return void known.constraints.delete(name)
    }
    default:
      if (!isNewTable && !harmless.has(subtype ?? '')) breaks(`${subtype} on ${table} cannot be judged`)
  }
}

const harmless = new Set<string>([
  ...['AT_DropNotNull', 'AT_SetStorage', 'AT_SetCompression', 'AT_SetStatistics', 'AT_SetOptions', 'AT_ResetOptions', 'AT_SetRelOptions'],
  ...['AT_ResetRelOptions', 'AT_ReplicaIdentity'],
])

function addColumn(table: string, { colname = '', typeName, constraints = [] }: ColumnDef, isNewTable: boolean, scope: Scope): void {
  const column = `${table}.${colname}`
  scope.created.add(column)
  if (isNewTable) return
  const { breaks, blocks } = scope
  const all = constraints.flatMap(node => ('Constraint' in node ? [node.Constraint] : []))
  const of = (type: Constraint['contype']) => all.find(({ contype }) => contype === type)
  const given = of('CONSTR_DEFAULT')?.raw_expr
  const type = typeName?.names?.map(part => ('String' in part ? part.String.sval : '')).at(-1) ?? ''
  const isGenerated = of('CONSTR_GENERATED') ?? of('CONSTR_IDENTITY') ?? type.endsWith('serial')
  if (isGenerated || (given && isVolatile(given))) blocks(`rewrites ${table} to fill ${column}: add it empty, then fill it in batches`)
  if (of('CONSTR_NOTNULL') && !given && !isGenerated)
    breaks(`adds ${column} NOT NULL without a default, which the previous release does not write`)
  if (of('CONSTR_CHECK')) blocks(`reads all of ${table} to check ${column}: add the check NOT VALID, and validate it apart`)
  if (of('CONSTR_UNIQUE') || of('CONSTR_PRIMARY')) blocks(`builds the index of ${column}, so writers wait`)
  if (of('CONSTR_FOREIGN') && given) blocks(`reads all of ${table} for the foreign key of ${column}: add it NOT VALID`)
}

function addConstraint(table: string, constraint: Constraint, isNewTable: boolean, { known, created, breaks, blocks }: Scope): void {
  rememberConstraint(constraint, table, known)
  if (isNewTable) return
  const { conname = 'a constraint', contype, skip_validation: isNotValid, indexname, raw_expr: condition, fk_attrs: keys = [] } = constraint
  const isIndexed = contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY'
  if (isIndexed ? !indexname : !isNotValid)
    blocks(
      `adds ${conname} to ${table}, ${isIndexed ? 'building its index: use an index built before' : 'reading all of it: add it NOT VALID'}`,
    )
  const columns = condition ? columnsOf(condition) : keys.flatMap(key => ('String' in key ? [key.String.sval ?? ''] : []))
  const isOfNew = columns.length > 0 && columns.every(column => created.has(`${table}.${column}`))
  if (!isOfNew && !(isIndexed && indexname)) breaks(`adds ${conname} to ${table}, which may refuse what the previous release writes`)
}

// Defaults of other functions are computed for each row, which rewrites the table.
const stable = new Set(['now', 'transaction_timestamp', 'statement_timestamp'])

const isVolatile = (expression: Node): boolean =>
  nodesOf(expression, 'FuncCall').some(({ funcname }) => !stable.has((funcname as [{ String: { sval: string } }])[0].String.sval))

const columnsOf = (expression: Node): string[] =>
  nodesOf(expression, 'ColumnRef').flatMap(({ fields }) => (fields as { String?: { sval: string } }[]).at(-1)?.String?.sval ?? [])

/** The nodes of a type in a tree. */
function nodesOf(tree: unknown, type: string): Record<string, unknown>[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(key === type ? [value as Record<string, unknown>] : []),
    ...nodesOf(value, type),
  ])
}
