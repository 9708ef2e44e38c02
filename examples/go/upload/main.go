// An upload, reversed: the prompt of a picture. `upload PICTURE.png`
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

// send sends a request and returns the content of its answer.
func send(request *http.Request) ([]byte, error) {
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 400 {
		err = fmt.Errorf("%s: %s", answer.Status, content)
	}
	return content, err
}

// post calls the service, and returns the data of its answer.
func post[T any](path string, body any, headers map[string]string) (data T, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return data, err
	}
	request, err := http.NewRequest(http.MethodPost, os.Getenv("API")+path, bytes.NewReader(text))
	if err != nil {
		return data, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	content, err := send(request)
	if err != nil {
		return data, err
	}
	envelope := struct{ Data *T }{&data}
	err = json.Unmarshal(content, &envelope)
	return data, err
}

func run(path string) error {
	picture, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	type created struct {
		ID     string
		Upload struct {
			URL     string
			Headers map[string]string
		}
	}
	upload, err := post[created]("/uploads", map[string]any{
		"scope":       "reverse_image",
		"filename":    "picture.png",
		"contentType": "image/png",
		"size":        len(picture),
	}, nil)
	if err != nil {
		return err
	}

	// To the storage, with exactly the headers that it names, and without the key.
	store, err := http.NewRequest(http.MethodPut, upload.Upload.URL, bytes.NewReader(picture))
	if err != nil {
		return err
	}
	for name, value := range upload.Upload.Headers {
		store.Header.Set(name, value)
	}
	if _, err := send(store); err != nil {
		return err
	}

	completed, err := post[struct{ Status string }]("/uploads/"+upload.ID+"/complete", struct{}{}, nil)
	if err != nil {
		return err
	}
	if completed.Status != "ready" {
		return fmt.Errorf("the upload is %s", completed.Status)
	}

	reversed, err := post[struct{ Recovery, Prompt string }](
		"/reverse-prompts",
		map[string]string{"type": "image", "uploadId": upload.ID},
		map[string]string{"Idempotency-Key": upload.ID},
	)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s\n", reversed.Recovery, reversed.Prompt)
	return nil
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: upload PICTURE.png")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}
