// SPDX-License-Identifier: Apache-2.0
// Brings the page of a sweep to life: values of its curves.

document.querySelectorAll('.plot').forEach(readable);
document.body.dataset.ready = 'true';
