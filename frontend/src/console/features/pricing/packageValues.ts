import type { PackageBody, PackageView } from '../../api/admin';

/** What stands in the form, as it was typed: figures are only read from it, never written back. */
export interface PackageValues {
  name: string;
  description: string;
  entries: string;
  /** In dollars. */
  price: string;
  isPopular: boolean;
  isActive: boolean;
  sortOrder: string;
}

export const newPackage: PackageValues = {
  name: '',
  description: '',
  entries: '10',
  price: '5.00',
  isPopular: false,
  isActive: true,
  sortOrder: '0',
};

/** A whole number, with or without commas; NaN for anything else. */
export function countOf(text: string): number {
  const digits = text.trim().replaceAll(',', '');
  return /^-?\d+$/.test(digits) ? Number(digits) : NaN;
}

/** `5`, `5.5`, `$1,234.50` in cents; NaN for what is no amount. */
export function centsOf(text: string): number {
  const amount = text.trim().replace('$', '').replaceAll(',', '');
  const [, sign, dollars = '', cents = ''] = /^(-?)(\d*)\.?(\d{0,2})$/.exec(amount) ?? [];
  if (!dollars && !cents) return NaN;
  const value = Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
  return sign ? -value : value;
}

export const valuesOf = (edited: PackageView): PackageValues => ({
  name: edited.name,
  description: edited.description,
  entries: String(edited.entries),
  price: (edited.price / 100).toFixed(2),
  isPopular: edited.isPopular,
  isActive: edited.isActive,
  sortOrder: String(edited.sortOrder),
});

/** What the server is sent, once the schema has found the figures to be figures. */
export const bodyOf = ({ entries, price, sortOrder, ...rest }: PackageValues): PackageBody => ({
  ...rest,
  entries: countOf(entries),
  price: centsOf(price),
  sortOrder: countOf(sortOrder),
});
