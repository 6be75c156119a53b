// Lists of records have the live ones, the deleted ones, or both.

interface DeletedFilter {
  includeDeleted?: boolean | null
  onlyDeleted?: boolean | null
}

/** Which rows a list is made of: those that live, those that were deleted, or both. */
export type Kind = 'live' | 'deleted' | 'all'

export const kindOf = (filter: DeletedFilter | null | undefined): Kind =>
  filter?.onlyDeleted ? 'deleted' : filter?.includeDeleted ? 'all' : 'live'
