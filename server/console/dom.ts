// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// dom.ts: elements of the page. Text is always set as text, so a name such as <img onerror=…> is
// shown as it is written and runs nothing; no other file makes elements, and none sets innerHTML.

export type Child = Node | string | null | undefined;
export type Value = string | number | boolean | null | undefined | ((event: never) => void);

// An element with attributes, listeners (names that begin with "on") and children. A value of false,
// null or undefined leaves its attribute out; true sets it empty.
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(name.slice(2), value as EventListener);
        } else if (value !== false && value !== null && value !== undefined) {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    element.append(...children.filter((child): child is Node | string => child != null));
    return element;
}

// A picture element, of the SVG namespace.
export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: Child[]): SVGElement {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, String(value));
    }
    element.append(...children.filter((child): child is Node | string => child != null));
    return element;
}

// Puts children in the place of all that the element has. The focus stays where it was: on the element
// with the same data-key.
export function fill(element: Element, ...children: Child[]): void {
    const focused = element.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.key : undefined;
    element.replaceChildren(...children.filter((child): child is Node | string => child != null));
    if (focused !== undefined) {
        element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    }
}
