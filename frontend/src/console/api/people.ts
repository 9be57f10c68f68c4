/** Staff's calls about people as screens use them: what a change makes stale. */
import { api as generated } from './generatedPeople';

export type * from './generatedPeople';

const tags = [
  'People',
  'Person',
  'PersonTags',
  'DataRequests',
  // These are read elsewhere: see admin.ts and sms.ts.
  'Dashboard',
  'FlaggedUsers',
  'Appeals',
  'DrawingStats',
  'AuditLog',
  'Approvals',
  'Replies',
] as const;
type Tag = (typeof tags)[number];

const tagged = generated.enhanceEndpoints<Tag>({ addTagTypes: tags });

// After failures too: the change may be made though its answer was lost, or another tab may have made it.
const afterNotes: Tag[] = ['People', 'Person', 'PersonTags', 'AuditLog'];
/** A mark flags the entry, and its end may unflag it. */
const afterMark: Tag[] = [
  'People',
  'Person',
  'Dashboard',
  'FlaggedUsers',
  'Appeals',
  'DrawingStats',
  'AuditLog',
];
const afterRequest: Tag[] = [...afterMark, 'DataRequests', 'Approvals'];

export const people = tagged.enhanceEndpoints<Tag>({
  endpoints: {
    listPeople: { providesTags: ['People'] },
    listPersonTags: { providesTags: ['PersonTags'] },
    getPerson: { providesTags: ['Person'] },
    editPerson: { invalidatesTags: afterNotes },
    markDuplicate: { invalidatesTags: afterMark },
    unmarkDuplicate: { invalidatesTags: afterMark },
    optPersonOut: { invalidatesTags: ['Person', 'Replies', 'AuditLog'] },
    listPersonDataRequests: { providesTags: ['DataRequests'] },
    createPersonDataRequest: { invalidatesTags: afterRequest },
    confirmPersonDataRequest: { invalidatesTags: afterRequest },
  },
});

export const {
  useListPeopleQuery,
  useListPersonTagsQuery,
  useGetPersonQuery,
  useEditPersonMutation,
  useMarkDuplicateMutation,
  useUnmarkDuplicateMutation,
  useOptPersonOutMutation,
  useListPersonDataRequestsQuery,
  useCreatePersonDataRequestMutation,
  useConfirmPersonDataRequestMutation,
} = people;
