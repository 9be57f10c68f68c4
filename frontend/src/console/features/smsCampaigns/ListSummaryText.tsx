import { useDeferredValue, useMemo } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import { countOf, formatCount } from '../../../shared/lib/format';
import { summaryOf, type CampaignValues } from './campaignValues';

/** From here on the rest is only counted. */
const NAMED = 5;

/** How many numbers were typed, and which of them more than once. */
export function ListSummaryText({ control }: { control: Control<CampaignValues> }) {
  // A pasted list may be long: typing does not wait for it to be counted.
  const list = useDeferredValue(useWatch({ control, name: 'customPhoneNumbers' }));
  const { count, repeated } = useMemo(() => summaryOf(list), [list]);
  const more = repeated.length - NAMED;
  return (
    <p className="quiet-text" role="status">
      {countOf(count, 'number')}
      {repeated.length > 0 &&
        `. Listed more than once, and texted once: ${repeated.slice(0, NAMED).join(', ')}`}
      {more > 0 && ` and ${formatCount(more)} more`}
    </p>
  );
}
