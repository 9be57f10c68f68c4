/** A number the way people write it: `+15551234567` reads `(555) 123-4567`; masked and foreign ones stay. */
export function formatPhone(phoneNumber: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phoneNumber);
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : phoneNumber;
}

/** Only the last four digits stay readable. */
export function maskPhone(phoneNumber: string): string {
  return `***-***-${phoneNumber.slice(-4)}`;
}
