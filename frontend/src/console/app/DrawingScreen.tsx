import { ClaimFile } from '../features/claims/ClaimFile';
import { Claims } from '../features/claims/Claims';
import { DrawingSection } from '../features/performDrawing/DrawingSection';
import { useQueryState } from '../lib/useQueryState';

/** The drawings with their claims, or one claim: which one stands in the address. */
export function DrawingScreen() {
  const [query] = useQueryState();
  const claim = Number(query.get('claim'));
  return claim > 0 ? <ClaimFile key={claim} id={claim} /> : <DrawingSection claims={<Claims />} />;
}
