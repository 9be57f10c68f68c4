import type { ClaimDetailsView } from '../../api/admin';

/** As on a label, without the name. */
export function Address({ of }: { of: ClaimDetailsView }) {
  const city = `${of.city}, ${of.state} ${of.postalCode}`;
  return (
    <address className="claim-address">
      {[of.addressLine1, of.addressLine2, city].filter(Boolean).join('\n')}
    </address>
  );
}
