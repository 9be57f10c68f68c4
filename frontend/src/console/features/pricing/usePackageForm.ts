import {
  useCreatePackageMutation,
  useUpdatePackageMutation,
  type PackageView,
} from '../../api/admin';
import type { ApiError } from '../../../shared/api/apiError';
import { isUnknown } from '../../../shared/api/isUnknown';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { bodyOf, newPackage, valuesOf, type PackageValues } from './packageValues';

const loadSchema = () =>
  import(/* webpackChunkName: "pricing-rules" */ './schema').then((file) => file.packageSchema);

/** Creates a package or changes one. */
export function usePackageForm(edited: PackageView | undefined, onSaved: () => void) {
  const [create] = useCreatePackageMutation();
  const [update] = useUpdatePackageMutation();
  const toast = useToast();

  async function send(values: PackageValues) {
    const packageBody = bodyOf(values);
    if (edited) await update({ id: edited.id, packageBody }).unwrap();
    else await create({ packageBody }).unwrap();
    onSaved();
    toast({ title: `Entry package ${edited ? 'updated' : 'created'} successfully` });
  }

  function explain(error: ApiError): string {
    toast({
      title: `Failed to ${edited ? 'update' : 'create'} package`,
      description: error.serverSentence ?? 'Unknown error',
      tone: 'bad',
    });
    const isSafe = edited || !isUnknown(error);
    return isSafe ? error.sentence : `${error.sentence} ${MAYBE_CREATED}`;
  }

  return useAppForm<PackageValues>({
    schema: loadSchema,
    defaultValues: edited ? valuesOf(edited) : newPackage,
    send,
    explain,
  });
}

/** A second package would be sold beside the first. */
const MAYBE_CREATED =
  'The package may have been created anyway: check the list before you try again.';
