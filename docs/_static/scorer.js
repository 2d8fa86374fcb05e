// How the search sorts: pages that explain come before pages that list.
const EXPLAINS = /^(tutorials|how-to|explanation|notebooks)\//;
const LISTS = /^(reference\/|changelog|conformance|countability|mutation|layout)/;

var Scorer = {
  score: ([docname, , , , score]) => score + (EXPLAINS.test(docname) ? 20 : 0) - (LISTS.test(docname) ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
