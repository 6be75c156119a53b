// Digits of other scripts. Pure.

// The zeros of the scripts whose digits people write numbers with; the nine others follow each.
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0ae6, 0x0be6, 0x0e50, 0xff10]

const asciiDigit = (digit: string) => {
  const code = digit.charCodeAt(0)
  const zero = zeros.find(one => code >= one && code < one + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** The text with its digits in ASCII: 0171 for ٠١٧١. */
export const plainDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asciiDigit)
