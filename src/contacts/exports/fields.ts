// The columns of an exported record: its fields in their order.

interface Further<Field> {
  /** The field behind which the further columns stand. */
  behind: Field
  further: readonly string[]
}

/** The id, the fields that callers may set with the further columns among them, and the times. Custom fields follow as columns of their own. */
export const fieldsOf = <Table extends object>(table: Table, { behind, further }: Further<keyof Table>): string[] => [
  'id',
  ...Object.keys(table).flatMap(field => (field === 'custom' ? [] : field === behind ? [field, ...further] : [field])),
  ...['createdAt', 'updatedAt', 'deletedAt', 'version'],
]
