// What Swagger UI's fields and boxes lack for those who do not see or point: names, and a place in the order of the Tab key.

/** Mends what appears below the element, whenever something does. */
export function nameFields(root) {
  let isDue = false
  const mend = () => {
    isDue = false
    for (const field of root.querySelectorAll('.parameters-col_description :is(select, input):not([aria-label])'))
      field.setAttribute('aria-label', field.closest('tr').querySelector('.parameter__name').firstChild.textContent)
    for (const field of root.querySelectorAll('.body-param textarea:not([aria-label])')) field.setAttribute('aria-label', 'Request body')
    for (const field of root.querySelectorAll('select.content-type:not([aria-label])')) field.setAttribute('aria-label', 'Media type')
    for (const box of root.querySelectorAll('.opblock-body pre:not([tabindex])')) box.setAttribute('tabindex', '0')
  }
  new MutationObserver(() => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(mend)
  }).observe(root, { childList: true, subtree: true })
}
