// Accessibility of Swagger UI: adds the missing accessible names of fields, and makes code boxes focusable.

/** Adds names to the fields below the element, also to fields that are rendered later. */
export function nameFields(root) {
  let isScheduled = false
  const addNames = () => {
    isScheduled = false
    for (const field of root.querySelectorAll('.parameters-col_description :is(select, input):not([aria-label])'))
      field.setAttribute('aria-label', field.closest('tr').querySelector('.parameter__name').firstChild.textContent)
    for (const field of root.querySelectorAll('.body-param textarea:not([aria-label])')) field.setAttribute('aria-label', 'Request body')
    for (const field of root.querySelectorAll('select.content-type:not([aria-label])')) field.setAttribute('aria-label', 'Media type')
    for (const box of root.querySelectorAll('.opblock-body pre:not([tabindex])')) box.setAttribute('tabindex', '0')
  }
  new MutationObserver(() => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(addNames)
  }).observe(root, { childList: true, subtree: true })
}
