import { ClaimFile } from '../features/claims/ClaimFile';
import { Claims } from '../features/claims/Claims';
import { ShippingList } from '../features/claims/ShippingList';
import { DrawingSection } from '../features/performDrawing/DrawingSection';
import { useQueryState } from '../lib/useQueryState';
import { useMay } from '../session/me';
import { Allowed } from '../ui/Allowed';

/** The drawings with their claims, one claim, or what is to be sent: which one stands in the address. */
export function DrawingScreen() {
  const [query] = useQueryState();
  const claim = Number(query.get('claim'));
  const mayView = useMay('view_claims');
  if (claim > 0) {
    return (
      <Allowed needs="view_claims" heading="h1">
        <ClaimFile key={claim} id={claim} />
      </Allowed>
    );
  }
  if (query.get('view') === 'shipping') {
    return (
      <Allowed needs="view_claim_details" heading="h1">
        <ShippingList />
      </Allowed>
    );
  }
  return <DrawingSection claims={mayView && <Claims />} />;
}
