/** How many Unicode characters a text has. The server counts them too, and not UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;
