/** 1234567 as 1,234,567. `Intl` takes longer to load than it is worth here. */
export const groupDigits = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 row`, `1,200 rows`. */
export const plural = (count: number, noun: string) =>
  `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
