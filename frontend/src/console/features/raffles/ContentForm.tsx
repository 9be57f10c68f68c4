import type { ReactNode } from 'react';
import type { Content } from '../../api/raffles';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { labelOf, MOST_PARTS, palettes } from './content';
import { DollarsField } from './DollarsField';
import { PictureFields } from './PictureFields';
import { Text, type FormProps } from './Text';

/** The content in the order in which visitors meet it. */
export function ContentForm(props: FormProps) {
  const { content, errors, isReadOnly, onChange } = props;
  return (
    <fieldset className="raffle-form" disabled={isReadOnly}>
      <legend className="unseen">Content</legend>
      <Section title="The prize" note="Another name, part or value is another prize.">
        <Text {...props} path="name" hint="In texts, drawings and the rules." />
        <Kit {...props} />
        <div className="field-pair">
          <DollarsField
            label="Total value in dollars"
            path="totalValue"
            cents={content.totalValue.dollars * 100}
            isWhole
            error={errors.totalValue}
            onChange={(cents) => onChange('totalValue.dollars', Math.round(cents / 100))}
          />
          <Checkbox
            label="Or more"
            hint="A plus sign follows the value."
            checked={content.totalValue.orMore}
            onChange={(event) => onChange('totalValue.orMore', event.target.checked)}
          />
        </div>
      </Section>
      <Section title="The sign-up page">
        <Text {...props} path="title" />
        <Text {...props} path="description" lines={3} />
        <Text {...props} path="tagline" />
        <Checkbox
          label="Say when the next drawing is"
          checked={content.showsNextDrawing}
          onChange={(event) => onChange('showsNextDrawing', event.target.checked)}
        />
      </Section>
      <Section title="Colors and picture">
        <Palettes value={content.palette} onChange={(palette) => onChange('palette', palette)} />
        <PictureFields {...props} />
      </Section>
      <Section title="Who has entered">
        <Text {...props} path="successTitle" />
        <p className="quiet-text">
          What the buttons for sharing put into a mail or a message. {'{LINK}'} is needed in both;{' '}
          {'{PRIZE}'}, {'{VALUE}'} and {'{NEXT_DRAWING}'} can be used.
        </p>
        <Text {...props} path="share.emailSubject" />
        <Text {...props} path="share.emailBody" lines={7} />
        <Text {...props} path="share.textBody" lines={3} />
      </Section>
      <Section title="Search results" note="The name of the site follows the title.">
        <Text {...props} path="metaTitle" />
        <Text {...props} path="metaDescription" lines={2} />
      </Section>
    </fieldset>
  );
}

interface SectionProps {
  title: string;
  note?: string;
  children: ReactNode;
}

function Section({ title, note, children }: SectionProps) {
  return (
    <section className="panel raffle-section">
      <h2>{title}</h2>
      {note && <p className="quiet-text">{note}</p>}
      {children}
    </section>
  );
}

const newPart: Content['kit'][number] = { item: '', detail: '', valueInCents: 0 };

function Kit(props: FormProps) {
  const { content, errors, onChange } = props;
  const { kit } = content;
  return (
    <fieldset className="raffle-kit" data-path="kit" tabIndex={-1}>
      <legend>{labelOf('kit')}</legend>
      {errors.kit && <p className="field-error">{errors.kit}</p>}
      {kit.map(({ valueInCents }, at) => (
        <div className="raffle-part" key={at} role="group" aria-label={`Part ${at + 1}`}>
          <Text {...props} path={`kit.${at}.item`} />
          <Text {...props} path={`kit.${at}.detail`} />
          <div className="raffle-part-end">
            <DollarsField
              label={labelOf(`kit.${at}.valueInCents`)}
              path={`kit.${at}.valueInCents`}
              cents={valueInCents}
              error={errors[`kit.${at}.valueInCents`]}
              onChange={(cents) => onChange(`kit.${at}.valueInCents`, cents)}
            />
            <Button
              size="small"
              onClick={() =>
                onChange(
                  'kit',
                  kit.filter((_, other) => other !== at),
                )
              }
            >
              Remove <span className="unseen">part {at + 1}</span>
            </Button>
          </div>
        </div>
      ))}
      {kit.length < MOST_PARTS && (
        <Button onClick={() => onChange('kit', [...kit, newPart])}>Add a part</Button>
      )}
    </fieldset>
  );
}

interface PalettesProps {
  value: string;
  onChange: (palette: string) => void;
}

function Palettes({ value, onChange }: PalettesProps) {
  return (
    <fieldset className="swatches">
      <legend>Colors</legend>
      {Object.entries(palettes).map(([key, name]) => (
        <label key={key} className="swatch">
          <input
            type="radio"
            name="palette"
            checked={key === value}
            onChange={() => onChange(key)}
          />
          <span className="swatch-color" data-palette={key} aria-hidden="true">
            Aa
          </span>
          {name}
        </label>
      ))}
    </fieldset>
  );
}
