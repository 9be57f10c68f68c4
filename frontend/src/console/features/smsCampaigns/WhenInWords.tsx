import { useEffect, useState } from 'react';
import { useWatch, type Control, type UseFormRegister } from 'react-hook-form';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { momentsOf, zoneNameAt } from '../../lib/siteTime';
import { Field } from '../../ui/Field';
import { isPast, momentOf, type CampaignValues } from './campaignValues';

interface Props {
  control: Control<CampaignValues>;
  register: UseFormRegister<CampaignValues>;
}

/** The chosen time in words, with its zone; asks which one is meant when the clocks show it twice. */
export function WhenInWords({ control, register }: Props) {
  const [scheduledDate, occurrence] = useWatch({
    control,
    name: ['scheduledDate', 'occurrence'],
  });
  const timeZone = siteTimeZone();
  const moments = momentsOf(scheduledDate, timeZone);
  const moment = momentOf({ scheduledDate, occurrence }, timeZone);
  if (!moment) return null;
  return (
    <>
      {moments.length > 1 && (
        <Field label="Which one?" hint="On that day the clocks go back and show this time twice.">
          {(props) => (
            <select {...props} {...register('occurrence')}>
              {moments.map((each, index) => (
                <option key={index} value={index === 0 ? 'first' : 'second'}>
                  {index === 0 ? 'The first' : 'The second'} ({zoneNameAt(each, timeZone)})
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Moment moment={moment} />
    </>
  );
}

/** A moment where the site is, and where the reader is if clocks differ there; says when it has passed. */
export function Moment({ moment }: { moment: Date }) {
  const hasPassed = useHasPassed(moment);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [atSite, atReader] = [inWords(moment, siteTimeZone()), inWords(moment, here)];
  return (
    <div role="status">
      <p className="quiet-text">
        {atSite}
        {atReader !== atSite && ` (${atReader} where you are)`}
      </p>
      {hasPassed && <p className="sms-past">That is in the past. Choose a later time, or Now.</p>}
    </div>
  );
}

const inWords = (moment: Date, timeZone: string) =>
  moment.toLocaleString('en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });

function useHasPassed(moment: Date): boolean {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return isPast(moment);
}
