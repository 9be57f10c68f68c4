import { countOf, formatCount } from '../../shared/lib/format';
import { plainSign, segmentsOf, signsOutside, TEXT_CHARACTERS } from '../lib/smsSegments';
import { Button } from './Button';

interface Props {
  text: string;
  /** Puts plain signs into the text that is written, where there are some. */
  onPlain?: (() => void) | undefined;
}

/** A text as a phone shows it, and what it takes to send. */
export function MessagePreview({ text, onPlain }: Props) {
  const { characters, encoding, segments } = segmentsOf(text);
  return (
    <div className="sms-preview" role="group" aria-label="Preview">
      <p className="sms-bubble">{text || 'Your message appears here.'}</p>
      <p className="quiet-text">
        {countOf(characters, 'character')}, {encoding}, {countOf(segments, 'segment')}
      </p>
      {encoding === 'UCS-2' && <Outside text={text} onPlain={onPlain} />}
      {characters > TEXT_CHARACTERS && (
        <p className="field-error">
          With its link, this is longer than {formatCount(TEXT_CHARACTERS)} characters, the limit
          for a text.
        </p>
      )}
    </div>
  );
}

/** Names the characters that make a text UCS-2, and offers plain ones. */
function Outside({ text, onPlain }: Props) {
  const signs = signsOutside(text);
  const replaced = signs.filter((sign) => plainSign(sign) !== undefined);
  return (
    <>
      <p className="quiet-text">
        Characters outside the GSM-7 alphabet limit a segment to 70 characters instead of 160:{' '}
        {signs.map(nameOf).join(' ')}
      </p>
      {onPlain && replaced.length > 0 && (
        <div>
          <Button size="small" onClick={onPlain}>
            Use plain characters
          </Button>{' '}
          <span className="quiet-text">
            {replaced.map((sign) => `${nameOf(sign)} → ${plainNameOf(sign)}`).join(', ')}
          </span>
        </div>
      )}
    </>
  );
}

/** Spaces and what cannot be seen have names; anything else is shown. */
function nameOf(sign: string): string {
  if (sign === '\t') return '(tab)';
  if (sign === '\u00a0') return '(no-break space)';
  const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return /[\p{Z}\p{C}\p{M}]/u.test(sign) ? `(U+${code})` : sign;
}

function plainNameOf(sign: string): string {
  const plain = plainSign(sign);
  if (plain === '') return 'nothing';
  return plain === ' ' ? 'space' : (plain ?? sign);
}
