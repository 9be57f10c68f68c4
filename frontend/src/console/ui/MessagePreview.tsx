import { countOf, formatCount } from '../../shared/lib/format';
import { segmentsOf, TEXT_CHARACTERS } from '../lib/smsSegments';

/** A text as a phone shows it, and what it takes to send. */
export function MessagePreview({ text }: { text: string }) {
  const { characters, encoding, segments } = segmentsOf(text);
  return (
    <div className="sms-preview" role="group" aria-label="Preview">
      <p className="sms-bubble">{text || 'Your message appears here.'}</p>
      <p className="quiet-text">
        {countOf(characters, 'character')}, {encoding}, {countOf(segments, 'segment')}
      </p>
      {encoding === 'UCS-2' && (
        <p className="quiet-text">
          Letters or signs outside of the phone alphabet (GSM-7) leave room for only 70 characters
          in a segment instead of 160.
        </p>
      )}
      {characters > TEXT_CHARACTERS && (
        <p className="field-error">
          With its link this is longer than {formatCount(TEXT_CHARACTERS)} characters, the most that
          a text may have.
        </p>
      )}
    </div>
  );
}
