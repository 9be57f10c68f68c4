import { useWatch, type Control } from 'react-hook-form';
import type { PackageView } from '../../api/admin';
import { costPerEntry, formatMoney } from '../../../shared/lib/format';
import { Checkbox } from '../../ui/Checkbox';
import { Field, type ControlProps } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { centsOf, countOf, type PackageValues } from './packageValues';
import { usePackageForm } from './usePackageForm';

interface Props {
  /** Without one, a new one is made. */
  edited: PackageView | undefined;
  onClose: () => void;
}

export function PackageDialog({ edited, onClose }: Props) {
  const form = usePackageForm(edited, onClose);
  const { register, control, errors, isSubmitting, problem, submit } = form;
  const label = edited ? 'Save package' : 'Create package';

  /** An input for one of the texts, or for a figure that is written as text. */
  const input =
    (name: TextField, attributes: object = {}) =>
    (props: ControlProps) => (
      <input {...props} {...attributes} autoComplete="off" required {...register(name)} />
    );

  return (
    <FormDialog
      title={edited ? `Edit ${edited.name}` : 'New package'}
      submitLabel={isSubmitting ? 'Saving...' : label}
      busy={isSubmitting}
      dirty={form.formState.isDirty}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={errors.name?.message}>
        {input('name')}
      </Field>
      <Field label="Description" error={errors.description?.message}>
        {input('description')}
      </Field>
      <div className="field-pair">
        <Field label="Entries" error={errors.entries?.message}>
          {input('entries', { inputMode: 'numeric', maxLength: 12 })}
        </Field>
        <Field label="Price in dollars" error={errors.price?.message}>
          {(props) => (
            <span className="with-sign">
              <span aria-hidden="true">$</span>
              {input('price', { inputMode: 'decimal', maxLength: 14 })(props)}
            </span>
          )}
        </Field>
      </div>
      <PriceInWords control={control} />
      <Field label="Sort order" hint="Lower numbers come first." error={errors.sortOrder?.message}>
        {input('sortOrder', { inputMode: 'numeric', maxLength: 6 })}
      </Field>
      <Checkbox label="Popular" hint="Marked as popular for users." {...register('isPopular')} />
      <Checkbox
        label="Active"
        hint="Inactive packages are hidden from users."
        {...register('isActive')}
      />
    </FormDialog>
  );
}

type TextField = Exclude<keyof PackageValues, 'isPopular' | 'isActive'>;

/** What Stripe charges at least, in cents. It may be saved all the same: prices begin at one cent. */
const LEAST_CHARGE = 50;

/** How what was typed is read, before it is saved. */
function PriceInWords({ control }: { control: Control<PackageValues> }) {
  const [price, entries] = useWatch({ control, name: ['price', 'entries'] });
  const cents = centsOf(price);
  const bought = countOf(entries);
  return (
    <div className="field">
      <p className="quiet-text">
        {cents > 0 && bought > 0
          ? `Users pay ${formatMoney(cents)}: ${costPerEntry(cents, bought)}.`
          : 'Users see the price and the price per entry.'}
      </p>
      <div role="status">
        {cents > 0 && cents < LEAST_CHARGE && (
          <p className="notice">
            Nobody can buy this: Stripe charges {formatMoney(LEAST_CHARGE)} or more.
          </p>
        )}
      </div>
    </div>
  );
}
