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
          Characters outside the GSM-7 alphabet limit a segment to 70 characters instead of 160.
        </p>
      )}
      {characters > TEXT_CHARACTERS && (
        <p className="field-error">
          With its link, this is longer than {formatCount(TEXT_CHARACTERS)} characters, the limit
          for a text.
        </p>
      )}
    </div>
  );
}
